import type { JsonText } from '../json-text.ts'
import { ApiError } from './errors.ts'

/** The value of `ETag` for a version of a record. */
export const etagOf = (version: number): string => `"${version}"`

/**
 * Refuses a change by somebody who read an older version of the record; answers the record as it is now. Where the
 * version is not in the record, it is given, and sent as the ETag.
 */
export class StaleRecord extends ApiError {
  readonly data: JsonText
  readonly version: number | undefined
  constructor(data: JsonText, version?: number) {
    const next = version === undefined ? 'the version in it' : 'the ETag of this response as If-Match'
    super('stale', `The record was changed since you read it. Compare it with \`data\`, and send ${next}.`)
    this.data = data
    this.version = version
  }
}
