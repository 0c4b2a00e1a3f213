import Type from 'typebox'
import { byId, noSuch } from '../../platform/http/by-id.ts'
import { type Route, route } from '../../platform/http/route.ts'
import { maybe } from '../../platform/http/shapes.ts'
import type { Seal } from '../../platform/seal.ts'
import { officeOf } from './commands/capture-file.ts'
import { rereadCapture } from './commands/reread-capture.ts'
import { PRINTER } from './printer-tag.ts'
import { RereadCapture, rereadBody } from './reread.shape.ts'

export const rereadRoutes = ({ printerFiles }: { readonly printerFiles: Seal }): readonly Route[] => [
  route({
    ...PRINTER,
    method: 'POST',
    path: '/ticket_imports/:id/reread',
    summary: 'Read a captured file again',
    description:
      'Parses the stored file with the current parsers and lists what changes in its sales. Without `commit`, nothing is changed. With it, sales that are drafts or options are updated, except fields that somebody changed. Sales that are issued or invoiced do not change; the seat of the file is notified of the differences. `before` and `after` are null for roles that cannot see all data of a sale.',
    takes: {
      ...byId('capture'),
      body: Type.Object({
        commit: Type.Optional(maybe(Type.Boolean({ description: 'Whether to change the sales. Default: false.' }))),
      }),
    },
    answers: { status: 200, body: Type.Object({ data: RereadCapture }), description: 'The differences.' },
    errors: ['not_found', 'validation_failed'],
    async handle(tx, { params, body, actor }) {
      const reread = () => rereadCapture(tx, officeOf(actor), printerFiles, params.id)
      const isCommitted = body.commit === true
      const result = isCommitted ? await reread() : await tx.discard(reread)
      if (!result) throw noSuch('capture')
      return rereadBody(result, isCommitted, actor.policies)
    },
  }),
]
