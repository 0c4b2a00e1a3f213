const FOLDER_OF = { parsed: 'done', duplicate: 'duplicate', failed: 'failed' } as const
export type Status = keyof typeof FOLDER_OF
export type OutcomeFolder = (typeof FOLDER_OF)[Status]
export const OUTCOME_FOLDERS: readonly OutcomeFolder[] = Object.values(FOLDER_OF)

/** The result of a file: the capture as returned by the cell, or why the agent did not send it. */
export type Answer = {
  readonly status: Status
  readonly error?: string | null
  readonly document_action?: string | null
  readonly ticket_numbers?: readonly string[]
  readonly ticket_sale_id?: string | null
  readonly [more: string]: unknown
}

export const folderOf = ({ status }: Answer): OutcomeFolder => FOLDER_OF[status]

export const isAnswer = (body: object): body is Answer =>
  'status' in body && typeof body.status === 'string' && Object.hasOwn(FOLDER_OF, body.status)

/** The outcome of a file, in one line. */
export function outcomeText(answer: Answer): string {
  const action = answer.document_action ?? 'issue'
  return [
    folderOf(answer) + (action === 'issue' ? '' : ` (${action})`),
    ...(Array.isArray(answer.ticket_numbers) ? answer.ticket_numbers : []),
    ...(answer.ticket_sale_id ? [`sale ${answer.ticket_sale_id}`] : []),
    ...(answer.error ? [answer.error] : []),
  ].join('  ')
}
