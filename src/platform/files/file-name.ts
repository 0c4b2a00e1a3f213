const MAXIMUM_LENGTH = 255
const EXTENSION_MAXIMUM = 20
/** Control and format characters, which could turn a name around; the two joiners are letters' business. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/gu

/** A name to show and to save by, of what a client sent: no path, nothing invisible, 1 to 255 characters. */
export function cleanFileName(given: string): string {
  const clean = given.toWellFormed().normalize('NFC').replace(INVISIBLE, '')
  const last = clean.split(/[/\\]/).at(-1)?.trim() ?? ''
  if (/^\.*$/.test(last)) return 'file'
  if (last.length <= MAXIMUM_LENGTH) return last
  const extension = extensionOf(last)
  const end = extension === '' || extension.length > EXTENSION_MAXIMUM ? '' : `.${extension}`
  return last.slice(0, MAXIMUM_LENGTH - end.length).replace(/[\ud800-\udbff]$/, '') + end
}

/** In lower case, without what some systems leave out when they save: dots and spaces at the end. */
export const extensionOf = (name: string): string => /\.([^. ]+)[. ]*$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** `Content-Disposition` of a file to be saved, as RFC 6266 has it: the name in ASCII, and whole. */
export function savedAs(name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`
}
