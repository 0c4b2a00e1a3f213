/** Continues with a value or a promise: synchronously for a value, since a promise costs more than the rest. */
export const andThen = <A, B>(value: A | Promise<A>, go: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(go) : go(value)
