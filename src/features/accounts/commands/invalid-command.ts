/** What an operator asked for and cannot have; the message says what to do instead. */
export class InvalidCommand extends Error {}
