import { stringify } from 'csv-stringify/sync'
import Type from 'typebox'
import type { AccountSecrets } from '../../platform/account-secrets.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { Day, maybe, Text, Uuid } from '../../platform/http/shapes.ts'
import { jsonText } from '../../platform/json-text.ts'
import { type AuditRow, listAuditEntries, readAuditEntries } from './audit-log.store.ts'
import { auditEntryView, hiddenDetails } from './audit-log.view.ts'
import { verifyChain } from './reads/verify-chain.ts'

/** Rows of a file: it is made in memory. */
const FILE_ROWS = 20_000
const FILE_MAXIMUM = 100_000_000
const COLUMNS = [
  'created_at',
  'actor',
  'source',
  'action',
  'subject_type',
  'subject_id',
  'details',
] as const satisfies readonly (keyof AuditRow)[]

const COMMON = {
  tag: { name: 'Audit log', description: 'Who did what, when and from where.' },
  scope: null,
  policy: 'view_audit_log',
} as const
const filters = {
  action: Type.Optional(Text(200)),
  subject_type: Type.Optional(Text(200)),
  subject_id: Type.Optional(Text(1000)),
  seat_id: Type.Optional(Uuid),
  key_id: Type.Optional(Uuid),
  from: Type.Optional(Day),
  to: Type.Optional(Day),
}
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Verification = Type.Object(
  {
    chained: { ...Count, description: 'Entries that fit, up to the first that does not.' },
    waiting: { ...Count, description: 'Entries that are not chained yet.' },
    head: { ...Text(100), description: 'Number and code of the last link that fits.' },
    problem: maybe({ ...Text(1000), description: 'The first entry that does not fit, and why; null if all fit.' }),
  },
  { title: 'Verification of the audit log' },
)
const ABOUT = '`from` and `to` are days in the time zone of the account, both included.'

export const auditLogRoutes = ({ accountSecrets }: { readonly accountSecrets: AccountSecrets }): readonly Route[] => [
  route({
    ...COMMON,
    method: 'GET',
    path: '/audit_log',
    summary: 'List the audit log',
    description: `Newest first. ${ABOUT}`,
    takes: { query: Type.Object({ ...paging, ...filters }) },
    answers: {
      status: 200,
      body: listOf(viewSchema(auditEntryView, 'Audit entry')),
      description: 'A page of entries.',
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(reader, { query: { limit: _, cursor: __, ...given }, actor: { policies, timeZone }, page }) {
      return listText(page, await listAuditEntries(reader, policies, page, given, { zone: timeZone }))
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/audit_log.csv',
    summary: 'Download the audit log as CSV',
    description: `Newest first, at most ${FILE_ROWS} entries. ${ABOUT}`,
    slow: true,
    takes: { query: Type.Object(filters) },
    answers: {
      status: 200,
      type: 'text/csv',
      body: Type.String({ maxLength: FILE_MAXIMUM }),
      description: 'The file.',
    },
    errors: ['invalid_parameter', 'too_many_rows'],
    audits: ({ query, actor }) => ({
      action: 'audit_log.exported',
      subjectType: 'account',
      subjectId: String(actor.account),
      details: { ...query },
    }),
    async handle(reader, { query, actor: { policies, timeZone: zone } }) {
      const of = { zone, hidden: hiddenDetails(policies) }
      const rows = await readAuditEntries(reader, query, of, FILE_ROWS + 1)
      if (rows.length > FILE_ROWS)
        throw new ApiError('too_many_rows', `There are more than ${FILE_ROWS} entries. Choose a shorter period.`)
      const csv = stringify(rows, { header: true, columns: [...COLUMNS], bom: true, escape_formulas: true })
      return { body: Buffer.from(csv), filename: 'audit-log.csv' }
    },
  }),
  route({
    ...COMMON,
    method: 'GET',
    path: '/audit_log/verification',
    summary: 'Verify the audit log',
    description:
      'Compares every entry with its chain, from the beginning. `head` can be compared with the one in the log of the program, which the operator has.',
    slow: true,
    takes: {},
    answers: { status: 200, body: Type.Object({ data: Verification }), description: 'The result.' },
    errors: [],
    async handle(reader) {
      const { chained, waiting, head, problem } = await verifyChain(reader, accountSecrets)
      return jsonText({ data: { chained, waiting, head, problem } })
    },
  }),
]
