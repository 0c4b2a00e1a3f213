import Type from 'typebox'
import type { Files } from '../../../platform/files/files.ts'
import { FILE_MAXIMUM_BYTES } from '../../../platform/http/receive-file.ts'
import { Text, Uuid } from '../../../platform/http/shapes.ts'

/** Held by one record. */
export const ATTACHMENTS_MAXIMUM = 20
const Attachment = Type.Object(
  {
    id: Uuid,
    filename: Text(255),
    content_type: Text(200),
    byte_size: Type.Integer({ minimum: 1, maximum: FILE_MAXIMUM_BYTES }),
    url: Type.String({
      maxLength: 2000,
      description: 'Address to download the file without an API key; valid for one hour.',
    }),
  },
  { additionalProperties: false },
)
export const Attachments = Type.Array(Attachment, { maxItems: ATTACHMENTS_MAXIMUM })

/** SQL of the files that a record holds by the rows of a table. Their addresses are signed outside the database. */
export const attachmentsSql = (table: string, column: string, record: string): string => `
  (select coalesce(json_agg(json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'byte_size', f.byte_size) order by f.id), '[]')
  from ${table} a join files f on f.account_id = a.account_id and f.id = a.file_id
  where a.account_id = ${record}.account_id and a.${column} = ${record}.id)`

export type WithAttachments = { attachments: { id: string; url?: string }[] }
/** A record with the addresses of its attachments, which are good from now on. */
export const withAddresses = <R extends WithAttachments>(files: Files, account: number, record: R): R => ({
  ...record,
  attachments: record.attachments.map((file) => ({ ...file, url: files.addressOf({ account, id: file.id }) })),
})
