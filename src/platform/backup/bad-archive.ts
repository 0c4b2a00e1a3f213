import { UserError } from '../user-error.ts'

/** A file that is no archive, or not the whole of one. */
export class BadArchive extends UserError {
  constructor(message = 'The file is damaged or was cut off.') {
    super('invalid_archive', message)
  }
}
