import { audit } from '../../../platform/audit.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { LANGUAGES, type Language } from '../../../platform/page/language.ts'
import { RecordNotFound, UserError } from '../../../platform/user-error.ts'
import { placeholdersOf, withoutPlaceholders } from '../templates/fill.ts'
import { dropTemplate, keepTemplate } from '../templates/own-templates.store.ts'
import { PLACEHOLDERS, TEMPLATE_KINDS, type Template, type TemplateKind } from '../templates/template-kinds.ts'

const SUBJECT_LENGTH = 200
const BODY_LENGTH = 10_000
/** In a body, line ends and tabs are allowed as well. */
const CONTROL = /[^\P{Cc}\n\r\t]/u

type Named = { readonly account: number; readonly kind: TemplateKind; readonly locale: Language }

/** Reads what a template is named by. */
export function templateNamed(account: number, kind: string, locale: string): Named {
  const known = TEMPLATE_KINDS.find((one) => one === kind)
  if (!known)
    throw new RecordNotFound('template', `No template ${kind} exists. Choose one of ${TEMPLATE_KINDS.join(', ')}.`)
  const language = LANGUAGES.find((one) => one === locale)
  if (!language)
    throw new RecordNotFound('template', `No templates exist in ${locale}. Choose one of ${LANGUAGES.join(', ')}.`)
  return { account, kind: known, locale: language }
}

/** Saves the account's own template for a kind of message. */
export async function saveTemplate(tx: SystemTx, named: Named, given: Template, operator: Operator): Promise<void> {
  const template = { subject: given.subject.trim(), body: given.body.trim() }
  refuseTexts(template)
  refusePlaceholders(named.kind, template)
  await tx.all(keepTemplate, { ...named, ...template })
  await noteDown(tx, named, 'template.saved', operator)
}

/** Deletes the templates, so that the built-in ones are used again. False if there were none. */
export async function resetTemplate(tx: SystemTx, named: Named, operator: Operator): Promise<boolean> {
  if (!(await tx.one(dropTemplate, named))) return false
  await noteDown(tx, named, 'template.reset', operator)
  return true
}

const noteDown = (tx: SystemTx, { account, kind, locale }: Named, action: string, operator: Operator) =>
  audit(tx, account, operator, { action, subjectType: 'template', subjectId: `${kind} ${locale}` })

function refuseTexts({ subject, body }: Template): void {
  if (subject === '' || body === '') throw new UserError('invalid_value', 'A template needs a subject and a body.')
  if (subject.length > SUBJECT_LENGTH)
    throw new UserError('invalid_value', `A subject has at most ${SUBJECT_LENGTH} characters.`)
  if (body.length > BODY_LENGTH) throw new UserError('invalid_value', `A body has at most ${BODY_LENGTH} characters.`)
  if (/\p{Cc}/u.test(subject)) throw new UserError('invalid_value', 'A subject must be one line of text.')
  if (CONTROL.test(body))
    throw new UserError('invalid_value', 'A body must not contain control characters other than line breaks.')
}

function refusePlaceholders(kind: TemplateKind, { subject, body }: Template): void {
  const known: readonly string[] = PLACEHOLDERS[kind]
  const there = `Known placeholders: ${known.map((name) => `{{${name}}}`).join(', ')}.`
  const unknown = placeholdersOf(`${subject}\n${body}`).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new UserError('invalid_value', `${kind} has no placeholder {{${unknown}}}. ${there}`)
  if (/\{\{|\}\}/.test(withoutPlaceholders(`${subject}\n${body}`)))
    throw new UserError('invalid_value', `Enclose placeholders in double braces. ${there}`)
}
