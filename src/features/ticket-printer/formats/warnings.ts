import type { FileWarning } from '../ticket-file.ts'

/** Adds a warning for the user. */
export type Warn = (code: string, message: string) => void

/** Collects warnings; `note` skips a repeated one, which several parsers may give. */
export function collectWarnings(): {
  warn: Warn
  note: (warning: FileWarning) => void
  warnings: readonly FileWarning[]
} {
  const warnings: FileWarning[] = []
  const seen = new Set<string>()
  const warn: Warn = (code, message) => {
    if (seen.has(message)) return
    seen.add(message)
    warnings.push({ code, message })
  }
  return { warn, note: ({ code, message }) => warn(code, message), warnings }
}

export const unreadableAmount = (number: string): FileWarning => ({
  code: 'amount_unreadable',
  message: `An amount of ${number} cannot be read and was left out. Enter it by hand.`,
})

export const unknownCollection = (number: string): FileWarning => ({
  code: 'additional_collection',
  message: `The file does not contain the additional collection for the exchange into ${number}. The price is the full value of the new document. Check it.`,
})
