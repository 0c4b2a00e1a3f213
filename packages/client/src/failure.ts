import { ImportError } from './import/import-error.ts'

/** What a command prints when it fails; with `--json`, as one object. */
export type CommandFailure = {
  readonly error: string
  readonly code?: string
  /** What to run or to set next. */
  readonly hint?: string
  /** Rejected attribute → its reasons. */
  readonly details?: Readonly<Record<string, readonly string[]>>
}

export function clientFailureOf(error: unknown): CommandFailure {
  if (error instanceof ImportError) return { error: error.message, code: error.code }
  return { error: isFileError(error) ? fileProblem(error) : error instanceof Error ? error.message : String(error) }
}

type FileError = NodeJS.ErrnoException & { readonly path: string }
const isFileError = (error: unknown): error is FileError =>
  error instanceof Error && 'syscall' in error && 'path' in error && typeof error.path === 'string'

const FILE_PROBLEMS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'access is denied',
  EPERM: 'access is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'part of the path is not a folder',
  EEXIST: 'it exists already',
  ENOSPC: 'the disk is full',
}
const fileProblem = ({ code = '', path, message }: FileError): string =>
  `Cannot use ${path}: ${FILE_PROBLEMS[code] ?? message}.`
