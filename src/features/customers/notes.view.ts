import Type from 'typebox'
import { restrictedSql } from '../../imports/records/restricted.ts'
import type { Policies } from '../../platform/access/policies.ts'
import { instantSql, type Seen, seatSql, type View } from '../../platform/db/view.ts'
import { FILE_MAXIMUM_BYTES } from '../../platform/http/receive-file.ts'

export const NOTE_MAXIMUM = 10_000
export const ATTACHMENTS_MAXIMUM = 20
const Uuid = Type.String({ format: 'uuid', maxLength: 36 })
const Instant = Type.String({ format: 'date-time', maxLength: 40 })
const Seat = Type.Object(
  {
    id: Uuid,
    name: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    email: Type.String({ maxLength: 254 }),
  },
  { additionalProperties: false },
)
const Attachment = Type.Object(
  {
    id: Uuid,
    filename: Type.String({ maxLength: 255 }),
    content_type: Type.String({ maxLength: 200 }),
    byte_size: Type.Integer({ minimum: 1, maximum: FILE_MAXIMUM_BYTES }),
    url: Type.String({ maxLength: 2000, description: 'Where to fetch the file without a key, for an hour.' }),
  },
  { additionalProperties: false },
)

/** What a note says: hidden with the person whom it is about. */
const content = (sql: string, seen: Omit<Seen, 'sql' | 'needs'>): Seen => ({
  sql: (policies: Policies) =>
    policies.has('view_restricted_customers')
      ? sql
      : `case when ${restrictedSql('t')} then ${seen.masked ?? 'null'} else ${sql} end`,
  needs: ['view_personal_data'],
  ...seen,
})
/** Their addresses are signed outside the database. */
const ATTACHMENTS = `(select coalesce(json_agg(json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'byte_size', f.byte_size) order by f.id), '[]')
  from note_attachments a join files f on f.account_id = a.account_id and f.id = a.file_id
  where a.account_id = n.account_id and a.note_id = n.id)`

/** A note `n` of a customer `t`. */
export const noteView: View = {
  id: { sql: 'n.id', schema: Uuid },
  body: content('n.body', { schema: Type.Union([Type.String({ maxLength: NOTE_MAXIMUM }), Type.Null()]) }),
  pinned: { sql: 'n.pinned', schema: Type.Boolean() },
  author: { sql: seatSql('n.author_id', 'n.account_id'), schema: Type.Union([Seat, Type.Null()]) },
  source: { sql: 'n.source', schema: Type.Unsafe<string>({ type: 'string', enum: ['api', 'import', 'app'] }) },
  attachments: content(ATTACHMENTS, {
    schema: Type.Array(Attachment, { maxItems: ATTACHMENTS_MAXIMUM }),
    masked: `'[]'::json`,
  }),
  created_at: { sql: instantSql('n.created_at'), schema: Instant },
  updated_at: { sql: instantSql('n.updated_at'), schema: Instant },
}
