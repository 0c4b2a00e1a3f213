import Type from 'typebox'
import { isEncoding } from '#client/ticket-file/decode.ts'
import { defaultCompany } from '../../platform/access/places.ts'
import { viewSchema } from '../../platform/db/view.ts'
import { byId, dataOf, itemOf } from '../../platform/http/by-id.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { listOf, listText, paging } from '../../platform/http/paging.ts'
import type { Reason } from '../../platform/http/reasons.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { maybe } from '../../platform/http/shapes.ts'
import { joinedObjects, jsonObject, jsonText } from '../../platform/json-text.ts'
import type { Seal } from '../../platform/seal.ts'
import { dayIn } from '../../platform/time.ts'
import { refuseAttributes } from '../../records/attributes.ts'
import { listCaptures, listFailures, readCapture, readCaptureDetail } from './captures.store.ts'
import { captureDetailView, captureView, FILENAME_LENGTH, failureView } from './captures.view.ts'
import { captureFile } from './commands/capture-file.ts'
import { PRINTER } from './printer-tag.ts'
import { readFile } from './read-file.ts'

const FILE_MAXIMUM_BYTES = 2 * 1024 * 1024
/** Four characters of base64 encode three bytes. */
const BYTES_AT_ONCE = 3
const CONTENT_LENGTH = 10 * 1024 * 1024
/** The longest file name, including folders. */
const LONGEST_NAME = 10_000
/** More than the number of combinations of cause, provider and format. */
const FAILURES_MAXIMUM = 2000
const UNPARSEABLE = 'unparseable'

const Capture = viewSchema(captureView, 'Ticket capture')
const CaptureDetail = viewSchema(captureDetailView, 'Ticket capture detail')
const Failure = viewSchema(failureView, 'Ticket capture failures')
const Failed = viewSchema(
  { ...captureView, code: { sql: '', schema: Type.Literal(UNPARSEABLE) } },
  'Failed ticket capture',
)
const optional = (maxLength: number, description: string) =>
  Type.Optional(maybe(Type.String({ maxLength, description })))
const File = Type.Object({
  content: Type.String({
    maxLength: CONTENT_LENGTH,
    description: 'Content of the file, base64-encoded; at most 2 MiB before encoding.',
  }),
  filename: optional(
    LONGEST_NAME,
    `Name of the file, for display. The first ${FILENAME_LENGTH} characters are stored.`,
  ),
  encoding: optional(40, 'Character set of the file, such as windows-1254, if known.'),
  provider: optional(60, 'A hint only; the content of the file takes precedence.'),
  format: optional(60, 'A hint only; the content of the file takes precedence.'),
  agent: Type.Optional(
    maybe(
      Type.Object({
        version: optional(200, 'Version of the agent.'),
        host: optional(200, 'Host name of the computer that the agent runs on.'),
        os: optional(200, 'Operating system of that computer.'),
      }),
    ),
  ),
})

/** The decoded content, or its beginning if it exceeds the limit; null if it is not base64. */
function decoded(content: unknown): Uint8Array | null {
  const base64 = String(content)
  const room = new Uint8Array(Math.min(Math.ceil((base64.length / 4) * 3), FILE_MAXIMUM_BYTES + BYTES_AT_ONCE))
  try {
    return room.subarray(0, room.setFromBase64(base64, { lastChunkHandling: 'strict' }).written)
  } catch {
    return null
  }
}

const NOT_BASE64: Reason = [
  'content',
  'The content is not valid base64. Send the bytes of the file in base64 (RFC 4648, with padding).',
]
const UNKNOWN_ENCODING: Reason = [
  'encoding',
  'The encoding is not known. Send a character set such as windows-1254, or leave it out.',
]
/** Why a body cannot be read, apart from its shape. */
function unreadable(bytes: Uint8Array | null, encoding: unknown = null): Reason[] {
  const isKnown = encoding === null || (typeof encoding === 'string' && isEncoding(encoding))
  return [...(bytes ? [] : [NOT_BASE64]), ...(isKnown ? [] : [UNKNOWN_ENCODING])]
}

export const ticketPrinterRoutes = ({ printerFiles }: { readonly printerFiles: Seal }): readonly Route[] => [
  route({
    ...PRINTER,
    method: 'GET',
    path: '/ticket_imports',
    summary: 'List captures',
    description: 'All captured files, newest first.',
    takes: { query: Type.Object(paging) },
    answers: { status: 200, body: listOf(Capture), description: 'A page of captures.' },
    errors: ['invalid_cursor', 'invalid_parameter'],
    handle: async (reader, { actor, page }) => listText(page, await listCaptures(reader, actor.policies, page, {})),
  }),
  route({
    ...PRINTER,
    method: 'GET',
    path: '/ticket_imports/failures',
    summary: 'Report failed captures',
    description:
      'Failed captures, grouped by cause, provider and format, the most frequent first. `excerpt` shows the layout of a file without names, numbers and amounts, so it can be sent to support.',
    takes: {},
    answers: {
      status: 200,
      body: Type.Object({ data: Type.Array(Failure, { maxItems: FAILURES_MAXIMUM }) }),
      description: 'The groups.',
    },
    errors: [],
    handle: async (reader, { actor }) => {
      const found = await reader.one(listFailures(actor.policies), {})
      return jsonObject({ data: found?.items ?? jsonText([]) })
    },
  }),
  route({
    ...PRINTER,
    method: 'GET',
    path: '/ticket_imports/:id',
    summary: 'Read a capture',
    description:
      '`document` is the content of the file as it was read: offices and agents, passengers, legs, and each ticket, EMD and MCO with its fare, taxes, coupons and services. Amounts are as printed. Personal data, amounts and costs are null for roles that do not see them.',
    takes: byId('capture'),
    answers: { status: 200, body: Type.Object({ data: CaptureDetail }), description: 'The capture.' },
    errors: ['not_found'],
    handle: async (reader, { params, actor }) =>
      dataOf(await reader.one(readCaptureDetail(actor.policies), params), 'capture'),
  }),
  route({
    ...PRINTER,
    method: 'POST',
    path: '/ticket_imports',
    summary: 'Capture a file',
    description:
      'Provider and format are determined from the content. A file with new documents creates a draft sale (201). A file without new documents, or with changes to existing ones (void, refund), has the status `duplicate` (200). A file that cannot be parsed is stored as a `failed` capture with the reason (422).',
    ingest: true,
    takes: { body: File },
    inspect: ({ content, encoding }) => unreadable(decoded(content), encoding),
    prepare: async ({ body, actor, now }) => {
      const content = decoded(body.content)
      refuseAttributes(unreadable(content, body.encoding))
      const bytes = content as Uint8Array
      if (bytes.length > FILE_MAXIMUM_BYTES)
        throw new ApiError(
          'payload_too_large',
          'The file is too large. Send a file of at most 2 MiB; a printer file has a few kilobytes.',
        )
      const label = body.encoding ?? null
      const { country } = defaultCompany(actor)
      return readFile(bytes, { label, country, today: dayIn(actor.timeZone, now) })
    },
    answers: { status: 201, body: Capture, description: 'A new draft sale.' },
    alsoAnswers: [
      { status: 200, body: Capture, description: 'The file or its documents were already captured.' },
      { status: 422, body: Failed, description: 'The file cannot be parsed. The capture is stored.' },
    ],
    errors: ['validation_failed', 'payload_too_large'],
    async handle(tx, { body, actor }, read) {
      const { version, host, os } = body.agent ?? {}
      const sender = {
        filename: body.filename?.slice(0, FILENAME_LENGTH).toWellFormed() ?? null,
        agent: body.agent ? JSON.stringify({ version, host, os }) : null,
      }
      const { id, status } = await captureFile(tx, actor, printerFiles, read, sender)
      const capture = itemOf(await tx.last(readCapture(actor.policies), { id }), 'capture')
      return { status, body: status === 422 ? joinedObjects(capture, jsonText({ code: UNPARSEABLE })) : capture }
    },
  }),
]
