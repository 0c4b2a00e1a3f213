/** The part of a pino logger that is used. */
export type Log = {
  level: string
  info(fields: object, message?: string): void
  warn(fields: object, message?: string): void
  error(fields: object, message?: string): void
}
