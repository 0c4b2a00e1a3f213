/**
 * SQL with named parameters, prepared once for each connection: `I` is what it takes at each call, `O` its rows. An
 * account's transaction fills the parameter `account`.
 */
export type Statement<I, O> = {
  readonly name: string
  readonly text: string
  values(input: I): unknown[]
  /** Never there; it carries the type of the rows. */
  readonly rows?: O
}

const PARAMETER = /\$([a-zA-Z_]+)/g
let made = 0

/** Makes a statement of SQL in which `$name` is a parameter. The text is the program's own, never a client's. */
export function statement<I extends object, O>(text: string): Statement<I, O> {
  const names: (keyof I)[] = []
  const numbered = text.replace(PARAMETER, (_, name: string) => {
    const known = names.indexOf(name as keyof I)
    return `$${known < 0 ? names.push(name as keyof I) : known + 1}`
  })
  made += 1
  return { name: `s${made}`, text: numbered, values: (input) => names.map((name) => input[name]) }
}
