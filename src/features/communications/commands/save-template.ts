import { audit } from '../../../platform/audit.ts'
import type { SystemTx } from '../../../platform/db/system-tx.ts'
import type { Operator } from '../../../platform/operator.ts'
import { LANGUAGES, type Language } from '../../../platform/page/language.ts'
import { placeholdersOf, withoutPlaceholders } from '../templates/fill.ts'
import { dropTemplate, keepTemplate } from '../templates/own-templates.store.ts'
import { PLACEHOLDERS, TEMPLATE_KINDS, type Template, type TemplateKind } from '../templates/template-kinds.ts'

const SUBJECT_LENGTH = 200
const BODY_LENGTH = 10_000
/** Of a body it may be the ends of lines and tabs. */
const CONTROL = /[^\P{Cc}\n\r\t]/u

type Named = { readonly account: number; readonly kind: TemplateKind; readonly locale: Language }

/** Reads what a template is named by. */
export function templateNamed(account: number, kind: string, locale: string): Named {
  const known = TEMPLATE_KINDS.find((one) => one === kind)
  if (!known) throw new Error(`There is no template ${kind}. Name one of ${TEMPLATE_KINDS.join(', ')}.`)
  const language = LANGUAGES.find((one) => one === locale)
  if (!language) throw new Error(`There are no templates in ${locale}. Name one of ${LANGUAGES.join(', ')}.`)
  return { account, kind: known, locale: language }
}

/** Gives an account words of its own for a kind of message. */
export async function saveTemplate(tx: SystemTx, named: Named, given: Template, operator: Operator): Promise<void> {
  const template = { subject: given.subject.trim(), body: given.body.trim() }
  refuseTexts(template)
  refusePlaceholders(named.kind, template)
  await tx.all(keepTemplate, { ...named, ...template })
  await noteDown(tx, named, 'template.saved', operator)
}

/** Takes them back, so that the program's own are said again. False where there were none. */
export async function resetTemplate(tx: SystemTx, named: Named, operator: Operator): Promise<boolean> {
  if (!(await tx.one(dropTemplate, named))) return false
  await noteDown(tx, named, 'template.reset', operator)
  return true
}

const noteDown = (tx: SystemTx, { account, kind, locale }: Named, action: string, operator: Operator) =>
  audit(tx, account, operator, { action, subjectType: 'template', subjectId: `${kind} ${locale}` })

function refuseTexts({ subject, body }: Template): void {
  if (subject === '' || body === '') throw new Error('A template needs a subject and a body.')
  if (subject.length > SUBJECT_LENGTH) throw new Error(`A subject has ${SUBJECT_LENGTH} characters at most.`)
  if (body.length > BODY_LENGTH) throw new Error(`A body has ${BODY_LENGTH} characters at most.`)
  if (/\p{Cc}/u.test(subject)) throw new Error('A subject is one line of text.')
  if (CONTROL.test(body)) throw new Error('A body is text in lines, without control characters.')
}

function refusePlaceholders(kind: TemplateKind, { subject, body }: Template): void {
  const known: readonly string[] = PLACEHOLDERS[kind]
  const there = `There are ${known.map((name) => `{{${name}}}`).join(', ')}.`
  const unknown = placeholdersOf(`${subject}\n${body}`).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`{{${unknown}}} is no placeholder of ${kind}. ${there}`)
  if (/\{\{|\}\}/.test(withoutPlaceholders(`${subject}\n${body}`)))
    throw new Error(`Write placeholders in two braces on either side. ${there}`)
}
