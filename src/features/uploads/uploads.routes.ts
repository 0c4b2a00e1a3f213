import Type from 'typebox'
import { SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'
import { FILE_MAXIMUM_BYTES } from '../../platform/http/receive-file.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { jsonText } from '../../platform/json-text.ts'
import { keepUpload } from './commands/keep-upload.ts'

const Upload = Type.Object(
  {
    signed_id: Type.String({
      maxLength: SIGNED_ID_MAXIMUM,
      description: 'Id to send with the record that the file belongs to. Valid once, for 24 hours.',
    }),
    filename: Type.String({
      maxLength: 255,
      description: 'The name that was sent, without path and invisible characters.',
    }),
    content_type: Type.String({ maxLength: 200, description: 'Content type, detected from the content of the file.' }),
    byte_size: Type.Integer({ minimum: 1, maximum: FILE_MAXIMUM_BYTES }),
  },
  { title: 'Upload', additionalProperties: false },
)

export const uploadRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/uploads',
    tag: { name: 'Uploads', description: 'Files, uploaded before the record that they belong to.' },
    summary: 'Upload a file',
    description:
      'Upload a file of at most 10 MiB, then send its `signed_id` with the record that it belongs to. Scripts, programs and web pages are refused regardless of their file name. At most four files of the largest size can be uploaded at a time in an account; more return 429.',
    scope: ['full'],
    policy: 'manage_customers',
    takes: { file: true },
    answers: { status: 201, body: Type.Object({ data: Upload }), description: 'The file was stored.' },
    errors: ['validation_failed'],
    prepare: ({ file, files }, inTransaction) => keepUpload(inTransaction, files, file),
    handle: async (_tx, _input, upload) => jsonText({ data: upload }),
  }),
]
