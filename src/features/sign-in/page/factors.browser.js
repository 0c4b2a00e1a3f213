// The part of the sign-in page about passkeys and authenticator apps.
const element = (id) => document.getElementById(id)

/** Passkeys are bound to a domain name, and old browsers have none. */
export const hasPasskeys =
  typeof globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === 'function' &&
  !/^[\d.]+$|:/.test(location.hostname)

/** Where a passkey is shown, by what the form asks for: for its options, and then the answer. */
const PATHS = {
  password: ['/sign_in/passkey/options', '/sign_in/passkey'],
  code: ['/sign_in/second_factor/passkey_options', '/sign_in/second_factor'],
  proof: ['/session/proof/passkey_options', '/session/proof'],
}
/** Shows a passkey of the person. Answers what the application does; null if the person does not go on. */
export async function showPasskey(send, asking, waiting) {
  const [optionsPath, path] = PATHS[asking]
  const own = asking === 'code' ? { token: waiting.token } : undefined
  const begun = await send('POST', optionsPath, own)
  if (begun.status !== 200) return begun
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(begun.body.data.options)
  const credential = await navigator.credentials.get({ publicKey }).catch(() => null)
  if (!credential) return null
  const { token } = begun.body.data
  return send('POST', path, { ...(token && { token }), ...own, passkey: credential.toJSON() })
}

/** Begins to enrol an authenticator app, and shows its secret. Answers what the application does. */
export async function beginApp(send) {
  const begun = await send('POST', '/session/totp')
  if (begun.status !== 201) return begun
  const { secret, uri } = begun.body.data
  element('secret').textContent = secret.replace(/(.{4})(?=.)/g, '$1 ')
  element('app-link').href = uri
  element('app').hidden = false
  return begun
}

/** Shows recovery codes, once. */
export function showCodes(codes) {
  element('app').hidden = true
  element('code-list').textContent = (codes ?? []).join('\n')
  element('codes').hidden = !codes
}
