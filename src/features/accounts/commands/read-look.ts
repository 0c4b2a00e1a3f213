import { fileTypeFromBuffer } from 'file-type'
import { UserError } from '../../../platform/user-error.ts'

const COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i
/** Sent with every page. */
export const LOGO_MAXIMUM_BYTES = 64 * 1024
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp']
const SVG = /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/

/** `#rrggbb`; null for none. */
export function readAccent(text: string | null): string | null {
  if (text === null || text === '') return null
  if (!COLOR.test(text)) {
    const reason = `${text} is not a color. Write it as #rrggbb, for example #11606a.`
    throw new UserError('invalid_value', reason, { details: { accent_color: [reason] } })
  }
  const color = text.toLowerCase()
  return color.length === 7 ? color : color.replace(/[0-9a-f]/g, '$&$&')
}

/**
 * A picture as a data URL; null for none. A page shows it as an image, in which nothing runs: so the operator of the
 * server can also use SVG.
 */
export async function readLogo(bytes: Uint8Array): Promise<string | null> {
  if (bytes.length === 0) return null
  if (bytes.length > LOGO_MAXIMUM_BYTES)
    throw new UserError(
      'file_too_large',
      `The logo has ${bytes.length} bytes. The limit is ${LOGO_MAXIMUM_BYTES}. Use a smaller picture.`,
    )
  const type = SVG.test(Buffer.from(bytes).toString('utf8')) ? 'image/svg+xml' : (await fileTypeFromBuffer(bytes))?.mime
  if (type !== 'image/svg+xml' && !LOGO_TYPES.some((known) => known === type))
    throw new UserError('invalid_file', 'The logo is not in a supported format. Use a PNG, JPEG, WebP or SVG file.')
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}
