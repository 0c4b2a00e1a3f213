/** A provider of SMS and WhatsApp with Twilio’s API, and its credentials. */
export type MessagingAddress = {
  /** Without a slash at its end. */
  readonly url: string
  readonly sid: string
  readonly token: string
  /** The sender of an SMS; null if none can be sent. */
  readonly smsFrom: string | null
  readonly whatsappFrom: string | null
}

const SID = /^[\w-]{1,100}$/
const PHONE = /^\+\d{5,15}$/
/** A number, a short code, or a name (3GPP TS 23.040 has room for eleven characters). */
const SENDER = /^(\+\d{5,15}|\d{3,8}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11})$/
const NAMES: readonly string[] = ['sms_from', 'whatsapp_from']

/** Parses `https://ACCOUNT_SID:AUTH_TOKEN@HOST?sms_from=…&whatsapp_from=…`; null if invalid. */
export function readMessaging(text: string): MessagingAddress | null {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hash !== '') return null
  const smsFrom = url.searchParams.get('sms_from')
  const whatsappFrom = url.searchParams.get('whatsapp_from')?.replace(/^whatsapp:/, '') ?? null
  const token = decoded(url.password)
  if (!SID.test(url.username) || !token) return null
  if ((smsFrom ?? whatsappFrom) === null || [...url.searchParams.keys()].some((name) => !NAMES.includes(name)))
    return null
  if (smsFrom !== null && !SENDER.test(smsFrom)) return null
  if (whatsappFrom !== null && !PHONE.test(whatsappFrom)) return null
  return {
    url: url.origin + url.pathname.replace(/\/+$/, ''),
    sid: url.username,
    token,
    smsFrom,
    whatsappFrom,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
