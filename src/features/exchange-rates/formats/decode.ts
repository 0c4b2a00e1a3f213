import { UserError } from '../../../platform/user-error.ts'

/** The XML declaration is ASCII in every supported encoding, and at the beginning. */
const DECLARATION_BYTES = 200
const DECLARED = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/

/** The text of a file: in the encoding that its XML declaration names, else UTF-8. A byte-order mark is dropped. */
export function decodeRates(bytes: Uint8Array): string {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES)).replace(/^ï»¿/, '')
  const encoding = DECLARED.exec(start)?.[1] ?? 'utf-8'
  const decoder = openDecoder(encoding)
  try {
    return decoder.decode(bytes)
  } catch {
    throw new UserError(
      'invalid_file',
      `The file is not ${encoding.toUpperCase()} text. Save it as UTF-8, and unpack archives first.`,
    )
  }
}

function openDecoder(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true })
  } catch {
    throw new UserError('invalid_file', `The XML declares the unknown encoding ${encoding}. Save it as UTF-8.`)
  }
}
