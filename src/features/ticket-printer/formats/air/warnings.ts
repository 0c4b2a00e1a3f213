import type { FileWarning } from '../../ticket-file.ts'

export type Warn = (code: string, message: string) => void

/** Takes warnings, each once. */
export function collectWarnings(): { warn: Warn; warnings: readonly FileWarning[] } {
  const warnings: FileWarning[] = []
  const said = new Set<string>()
  const warn: Warn = (code, message) => {
    if (said.has(message)) return
    said.add(message)
    warnings.push({ code, message })
  }
  return { warn, warnings }
}
