import type { JsonText } from '../json-text.ts'
import { ApiError } from './errors.ts'

/** Refuses a change by somebody who read an older version of the record; answers the record as it is now. */
export class StaleRecord extends ApiError {
  readonly data: JsonText
  constructor(data: JsonText) {
    super('stale', 'The record was changed since you read it. Compare it with `data`, and send the version in it.')
    this.data = data
  }
}
