import Type, { type TSchema } from 'typebox'
import { instantSql, type Seen, seatSql, type View } from '../../platform/db/view.ts'
import { FILE_MAXIMUM_BYTES } from '../../platform/http/receive-file.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { personal, restrictedSql } from '../restricted.ts'
import { Seat } from '../seats.ts'
import { NOTE_MAXIMUM } from './note-attributes.ts'

export const ATTACHMENTS_MAXIMUM = 20
const Attachment = Type.Object(
  {
    id: Uuid,
    filename: Text(255),
    content_type: Text(200),
    byte_size: Type.Integer({ minimum: 1, maximum: FILE_MAXIMUM_BYTES }),
    url: Type.String({ maxLength: 2000, description: 'Where to fetch the file without a key, for an hour.' }),
  },
  { additionalProperties: false },
)

/** What a note says: hidden with the person whom it is about. */
const content = (sql: string, schema: TSchema, masked?: string): Seen =>
  personal(restrictedSql('t'), sql, schema, masked)
/** Their addresses are signed outside the database. */
const ATTACHMENTS = `(select coalesce(json_agg(json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'byte_size', f.byte_size) order by f.id), '[]')
  from note_attachments a join files f on f.account_id = a.account_id and f.id = a.file_id
  where a.account_id = n.account_id and a.note_id = n.id)`

/** A note `n` of a customer `t`. */
export const noteView: View = {
  id: { sql: 'n.id', schema: Uuid },
  body: content('n.body', maybe(Text(NOTE_MAXIMUM))),
  pinned: { sql: 'n.pinned', schema: Type.Boolean() },
  author: { sql: seatSql('n.author_id', 'n.account_id'), schema: maybe(Seat) },
  source: { sql: 'n.source', schema: enumOf(['api', 'import', 'app']) },
  attachments: content(ATTACHMENTS, Type.Array(Attachment, { maxItems: ATTACHMENTS_MAXIMUM }), `'[]'::json`),
  created_at: { sql: instantSql('n.created_at'), schema: Instant },
  updated_at: { sql: instantSql('n.updated_at'), schema: Instant },
}
