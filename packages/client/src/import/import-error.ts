/** Why an import stopped: what the user reads, and a code that a script can test. */
export class ImportError extends Error {
  readonly code: string
  /** Whether the same command may succeed later without changes. */
  readonly passing: boolean
  constructor(code: string, message: string, passing = false) {
    super(message)
    this.name = 'ImportError'
    this.code = code
    this.passing = passing
  }
}
