import type { FastifyInstance } from 'fastify'
import type { Database } from '../../platform/db/database.ts'
import { isAccountMoved } from '../../platform/db/failures.ts'
import { savedAs } from '../../platform/files/file-name.ts'
import type { Files } from '../../platform/files/files.ts'
import { formerSecretsIn } from '../../platform/former-secrets.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { readHeldFile } from './uploads.store.ts'

/** What a browser may do with a file that it opens after all: nothing. */
const POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"

/** Serves files by signed addresses, which replace a key. */
export function serveFiles(app: FastifyInstance, { db, files }: { db: Database; files: Files }): void {
  async function find(token: string) {
    const file = await files.readAddress(token, formerSecretsIn(db))
    const held = file && (await db.reader(file.account).one(readHeldFile, { id: file.id }))
    return held ? { file, held } : null
  }

  app.get<{ Params: { token: string } }>('/files/:token', async ({ params }, reply) => {
    const found = await find(params.token).catch((error: unknown) => {
      if (isAccountMoved(error)) return null
      throw error
    })
    const bytes = found && (await files.store.read(found.file))
    if (!bytes)
      throw new ApiError(
        'not_found',
        'The file does not exist, or its address has expired. Read the record of the file for a new address.',
      )
    const { held } = found
    const charset = held.content_type === 'text/plain' ? '; charset=utf-8' : ''
    return reply
      .header('content-type', held.content_type + charset)
      .header('content-length', held.byte_size)
      .header('content-disposition', savedAs(held.filename))
      .header('content-security-policy', POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(bytes)
  })
}
