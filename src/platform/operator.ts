/** The actor, and its source address. */
export type Operator = {
  readonly name: string
  readonly source: string
  /** Id of the API key that it came by. */
  readonly key?: string
  /** Id of the seat that the key acts as. */
  readonly seat?: string | null
}

type Request = {
  readonly principal: { readonly kind: 'key' | 'session'; readonly id: string }
  readonly actor: { readonly seat: string | null }
  readonly address: string
}
/** The operator of a request: its API key, or the seat that is signed in. */
export const operatorOf = ({ principal: { kind, id }, actor: { seat }, address }: Request): Operator =>
  kind === 'key'
    ? { name: `API key ${id}`, source: address, key: id, seat }
    : { name: `seat ${seat}`, source: address, seat }

/** What the program does by itself. */
export const BACKGROUND: Operator = { name: 'backdesk', source: 'background work' }
