// For webhook receivers. Self-contained, for Node 20 and newer, so that it can be copied.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300
const SECONDS = /^\d{1,12}$/
const SHA256_HEX = /^[0-9a-f]{64}$/

/** @type {typeof import('./verify-webhook.js').verifyWebhook} */
export function verifyWebhook(rawBody, header, secret, options = {}) {
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array))
    throw new TypeError('verifyWebhook needs the body as it arrived, not what was parsed of it')
  if (typeof secret !== 'string' || secret === '') throw new TypeError('verifyWebhook needs the signing secret')
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Math.floor(Date.now() / 1000) } = options

  const pairs = readPairs(header)
  const [t = '', ...others] = valuesOf(pairs, 't')
  if (others.length > 0 || !SECONDS.test(t)) return false
  if (!(Math.abs(now - Number(t)) <= toleranceSeconds)) return false

  const key = createHash('sha256').update(secret).digest('hex') // the 64 characters are the key
  const expected = createHmac('sha256', key).update(`${t}.`).update(rawBody).digest()
  // Two while a secret is being rotated: one of them is enough.
  return valuesOf(pairs, 'v1').some((v1) => SHA256_HEX.test(v1) && timingSafeEqual(Buffer.from(v1, 'hex'), expected))
}

/**
 * @param {unknown} header
 * @returns {string[][]} name and value of each pair
 */
function readPairs(header) {
  if (typeof header !== 'string') return []
  return header.split(',').map((pair) => {
    const [name = '', ...value] = pair.trim().split('=')
    return [name, value.join('=')]
  })
}

/**
 * @param {string[][]} pairs
 * @param {string} wanted
 */
const valuesOf = (pairs, wanted) => pairs.flatMap(([name, value = '']) => (name === wanted ? [value] : []))
