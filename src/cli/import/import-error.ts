/** Why an import stopped: what the user reads, and a code that a script can test. */
export class ImportError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.name = 'ImportError'
    this.code = code
  }
}
