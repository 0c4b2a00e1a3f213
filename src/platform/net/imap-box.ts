/** A folder of a mailbox on an IMAP server, and its credentials. */
export type ImapBox = {
  readonly host: string
  readonly port: number
  /** TLS from the first byte. Without it, TLS begins where the server offers STARTTLS. */
  readonly secure: boolean
  readonly user: string
  readonly password: string
  readonly folder: string
}

const PORTS: Readonly<Record<string, number>> = { 'imap:': 143, 'imaps:': 993 }
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)$/i

/** Parses `imaps://USER:PASSWORD@HOST:PORT/FOLDER`; null if invalid. The default folder is INBOX. */
export function readImapBox(text: string): ImapBox | null {
  const url = URL.parse(text)
  const port = url && PORTS[url.protocol]
  if (!url || !port || !HOST.test(url.hostname) || url.search !== '' || url.hash !== '') return null
  const [user, password, folder] = [url.username, url.password, url.pathname.replace(/^\/|\/$/g, '')].map(decode)
  if (!user || !password || folder === undefined) return null
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || port,
    secure: url.protocol === 'imaps:',
    user,
    password,
    folder: folder || 'INBOX',
  }
}

/** Without control characters, which a server would take for the end of a command. */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text)
    return /\p{Cc}/u.test(decoded) ? undefined : decoded
  } catch {
    return undefined
  }
}
