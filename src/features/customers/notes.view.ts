import Type, { type TSchema } from 'typebox'
import { instantSql, seatSql, type View, type ViewField } from '../../platform/db/view.ts'
import { enumOf, Instant, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { Seat } from '../accounts/reads/seats.ts'
import { Attachments, attachmentsSql } from '../uploads/reads/attachments.ts'
import { NOTE_MAXIMUM } from './note-attributes.ts'
import { personal, restrictedSql } from './reads/restricted.ts'

/** The content of a note: hidden if the customer is. */
const content = (sql: string, schema: TSchema, masked?: string): ViewField =>
  personal(restrictedSql('t'), sql, schema, masked)

/** A note `n` of a customer `t`. */
export const noteView: View = {
  id: { sql: 'n.id', schema: Uuid },
  body: content('n.body', maybe(Text(NOTE_MAXIMUM))),
  pinned: { sql: 'n.pinned', schema: Type.Boolean() },
  author: { sql: seatSql('n.author_id', 'n.account_id'), schema: maybe(Seat) },
  source: { sql: 'n.source', schema: enumOf(['api', 'import', 'app']) },
  attachments: content(attachmentsSql('note_attachments', 'note_id', 'n'), Attachments, `'[]'::json`),
  created_at: { sql: instantSql('n.created_at'), schema: Instant },
  updated_at: { sql: instantSql('n.updated_at'), schema: Instant },
}
