import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { SmtpAddress } from '../../src/platform/mail/smtp-address.ts'
import { atEnd } from './at-end.ts'
import { CERTIFICATE } from './certificate.ts'

export type Received = {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
  readonly secure: boolean
}
export type Smtp = {
  readonly address: SmtpAddress
  /** Mails received completely, whatever the response was. */
  readonly received: readonly Received[]
  /**
   * Responds according to the names of the recipients, see `BEHAVIOURS`. A delivery that hangs in `onData` can be
   * released.
   */
  release(): void
  /** Cuts every connection. */
  cut(): void
}

const refusal = (responseCode: number, message: string) => Object.assign(new Error(message), { responseCode })
const never = () => {}

/**
 * A real SMTP server, whose behaviour depends on the first word of a recipient: `refused-…`, `later-…`, `hangs-…` and
 * `cut-…` at RCPT; `cut-data-…` in the middle of the mail; `cut-end-…`, `spam-…`, `busy-…` and `holds-…` after the
 * complete mail.
 */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<Smtp> {
  const received: Received[] = []
  const held: (() => void)[] = []
  const socketOf = ({ id }: SMTPServerSession) => [...server.connections].find((each) => each.id === id)?._socket
  const server: SMTPServer = new SMTPServer({
    key: CERTIFICATE.key,
    cert: CERTIFICATE.cert,
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 10,
    logger: false,
    onRcptTo({ address }, session, callback) {
      if (address.startsWith('refused-')) return callback(refusal(550, '5.1.1 No such user'))
      if (address.startsWith('later-')) return callback(refusal(451, '4.7.1 Greylisted'))
      if (address.startsWith('hangs-')) return never()
      if (address.startsWith('cut-rcpt-')) return void socketOf(session)?.destroy()
      return callback()
    },
    async onData(stream, session, callback) {
      const [first = ''] = session.envelope.rcptTo.map(({ address }) => address)
      if (first.startsWith('cut-data-')) return void stream.once('data', () => socketOf(session)?.destroy())
      const raw = await text(stream).catch(() => null)
      if (raw === null) return // who sends it hung up
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        secure: session.secure,
      })
      if (first.startsWith('cut-end-')) return void socketOf(session)?.destroy()
      if (first.startsWith('spam-')) return callback(refusal(554, '5.7.1 Looks like spam'))
      if (first.startsWith('busy-')) return callback(refusal(452, '4.3.1 Out of room'))
      if (first.startsWith('holds-')) return void held.push(() => callback())
      return callback()
    },
    ...options,
  })
  server.on('error', never)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const cut = () => {
    for (const { _socket } of server.connections) _socket.destroy()
  }
  atEnd(async () => {
    cut()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return {
    address: { host: '127.0.0.1', port, secure: false, requireTls: false, login: null },
    received,
    release: () => {
      for (const let_go of held.splice(0)) let_go()
    },
    cut,
  }
}
