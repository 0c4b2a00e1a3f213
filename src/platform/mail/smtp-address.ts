/** A server that mail is handed to. */
export type SmtpAddress = {
  readonly host: string
  readonly port: number
  /** Encrypted from the first byte; otherwise by STARTTLS where the server offers it. */
  readonly secure: boolean
  /** TLS is required: a server without STARTTLS is refused. */
  readonly requireTls: boolean
  readonly login: { readonly user: string; readonly password: string } | null
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 }
const SWITCH: Readonly<Record<string, boolean>> = { true: true, false: false }

/** Parses `smtp://USER:PASSWORD@HOST:PORT?require_tls=true`, or `smtps://…`; null if invalid. */
export function readSmtp(text: string): SmtpAddress | null {
  const url = URL.parse(text)
  const usual = url ? PORTS[url.protocol] : undefined
  if (!url || usual === undefined || url.hostname === '' || url.hash !== '' || !/^\/?$/.test(url.pathname)) return null
  const user = decoded(url.username)
  const password = decoded(url.password)
  const host = decoded(url.hostname)
  const requireTls = SWITCH[url.searchParams.get('require_tls') ?? 'false']
  const others = [...url.searchParams.keys()].filter((name) => name !== 'require_tls')
  if (user === null || password === null || host === null || requireTls === undefined || others.length > 0) return null
  if (user === '' && password !== '') return null
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || usual,
    secure: url.protocol === 'smtps:',
    requireTls,
    login: user === '' ? null : { user, password },
  }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
