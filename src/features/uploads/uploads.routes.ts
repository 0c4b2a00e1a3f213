import Type from 'typebox'
import { SIGNED_ID_MAXIMUM } from '../../platform/files/files.ts'
import { FILE_MAXIMUM_BYTES } from '../../platform/http/receive-file.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { keepUpload } from './commands/keep-upload.ts'

const Upload = Type.Object(
  {
    signed_id: Type.String({ maxLength: SIGNED_ID_MAXIMUM, description: 'Names the file, once, within 24 hours.' }),
    filename: Type.String({ maxLength: 255, description: 'The given name without a path or invisible characters.' }),
    content_type: Type.String({ maxLength: 200, description: 'As the bytes themselves show it.' }),
    byte_size: Type.Integer({ minimum: 1, maximum: FILE_MAXIMUM_BYTES }),
  },
  { title: 'Upload', additionalProperties: false },
)

export const uploadRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/uploads',
    tag: { name: 'Uploads', description: 'Files, sent before the record that they belong to.' },
    summary: 'Upload a file',
    description:
      'Send the file first, of at most 10 MiB, then its `signed_id` with the record that it belongs to. Scripts, programs and web pages are refused, whatever they are called. Four of the largest files of an account can be on their way at a time; more are answered with 429.',
    scope: ['full'],
    policy: 'manage_customers',
    takes: { file: true },
    answers: { status: 201, body: Type.Object({ data: Upload }), description: 'The file is kept.' },
    errors: ['validation_failed'],
    prepare: ({ file, files }, inTransaction) => keepUpload(inTransaction, files, file),
    handle: async (_tx, _input, upload) => JSON.stringify({ data: upload }),
  }),
]
