/** Who does something, and from where. */
export type Operator = {
  readonly name: string
  readonly source: string
  /** Id of the API key that it came by. */
  readonly key?: string
  /** Id of the seat that the key acts as. */
  readonly seat?: string | null
}

type Request = {
  readonly key: { readonly id: string }
  readonly actor: { readonly seat: string | null }
  readonly address: string
}
/** A key as an operator: requests come by it. */
export const keyOperator = ({ key: { id }, actor, address }: Request): Operator => ({
  name: `API key ${id}`,
  source: address,
  key: id,
  seat: actor.seat,
})

/** What the program does by itself. */
export const BACKGROUND: Operator = { name: 'backdesk', source: 'background work' }
