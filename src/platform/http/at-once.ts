/** Goes on with a value that may still be on its way: at once where it is not, for a promise costs more than what follows. */
export const andThen = <A, B>(value: A | Promise<A>, go: (value: A) => B | Promise<B>): B | Promise<B> =>
  value instanceof Promise ? value.then(go) : go(value)
