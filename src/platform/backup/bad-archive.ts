import { UserError } from '../user-error.ts'

/** A file that is not an archive, or not complete. */
export class BadArchive extends UserError {
  constructor(message = 'The file is damaged or was cut off.') {
    super('invalid_archive', message)
  }
}
