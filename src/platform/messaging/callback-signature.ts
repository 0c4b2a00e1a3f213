import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * Signs a request as Twilio does: HMAC-SHA1, by the token, of the address with its query and all parameters in the order
 * of their names, each name followed by its value; of a repeated one each value once.
 */
export function signatureOf(token: string, url: string, parameters: URLSearchParams): string {
  const names = [...new Set(parameters.keys())].sort()
  const pairs = names.map((name) =>
    [...new Set(parameters.getAll(name))]
      .sort()
      .map((value) => name + value)
      .join(''),
  )
  return createHmac('sha1', token)
    .update(url + pairs.join(''))
    .digest('base64')
}

/** Whether the holder of the token signed it. Some sign the address with the port that it has anyway, some without. */
export function isSigned(token: string, url: string, parameters: URLSearchParams, signature: string): boolean {
  const given = Buffer.from(signature)
  const matches = spellingsOf(url).map((way) => {
    const expected = Buffer.from(signatureOf(token, way, parameters))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  return matches.includes(true)
}

function spellingsOf(url: string): string[] {
  const parts = /^(https?):\/\/([^/?]*?)(:\d+)?([/?].*)?$/.exec(url)
  if (!parts) return [url]
  const [, scheme, host, port, rest] = parts
  const usual = scheme === 'https' ? ':443' : ':80'
  return [...new Set([url, `${scheme}://${host}${port ?? usual}${rest ?? ''}`, `${scheme}://${host}${rest ?? ''}`])]
}
