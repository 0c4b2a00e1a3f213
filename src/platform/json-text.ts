declare const parsed: unique symbol

/**
 * JSON text with the type that it parses to. It is created by `jsonText` and `jsonObject`, and by columns of the type
 * `pg.printedJson`, so a handler cannot return any other text.
 */
export type JsonText<T = unknown> = string & { readonly [parsed]: T }

export const jsonText = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>

type Member = JsonText | number | boolean | null
type Parsed<M> = M extends JsonText<infer T> ? T : M

/** An object whose members are JSON already, in their order. */
export function jsonObject<const M extends Readonly<Record<string, Member>>>(
  members: M,
): JsonText<{ -readonly [K in keyof M]: Parsed<M[K]> }> {
  let text = ''
  for (const name in members) text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${members[name]}`
  return (text === '' ? '{}' : `${text}}`) as JsonText<never>
}

/** One object with the members of two, neither of which is empty. */
export const joinedObjects = <A, B>(first: JsonText<A>, second: JsonText<B>): JsonText<A & B> =>
  `${first.slice(0, -1)},${second.slice(1)}` as JsonText<A & B>

/** The body of a response without one. */
export const NO_BODY = '' as JsonText<null>
