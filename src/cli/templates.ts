import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { resetTemplate, saveTemplate, templateNamed } from '../features/communications/commands/save-template.ts'
import {
  type TemplateRow,
  templateRows,
  type WholeTemplate,
  wholeTemplate,
} from '../features/communications/reads/template-rows.ts'
import { UserError } from '../platform/user-error.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { atAccount } from './trips/on-trip.ts'

type OfTemplate = OfAccount & { readonly kind: string; readonly locale: string }
type Given = OfTemplate & { readonly subject: string; readonly body?: string; readonly bodyFile?: string }

export function registerTemplates(program: Command): void {
  const template = program.command('template').description('show and change the templates of automated messages')
  objectCommand(
    template
      .command('list')
      .description('list the templates, and which of them the account has changed')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) => atAccount({ account }, async (tx) => ({ templates: await templateRows(tx) })),
    ({ templates }: { templates: TemplateRow[] }) => table(templates),
  )
  const ofTemplate = (name: string, about: string) =>
    template
      .command(name)
      .description(about)
      .requiredOption(...ACCOUNT)
      .requiredOption('--kind <kind>', 'kind of message; see: npx backdesk template list')
      .requiredOption('--locale <language>', 'en or tr')
  objectCommand(
    ofTemplate('show', 'show a template and its placeholders'),
    ({ account, kind, locale }: OfTemplate) =>
      atAccount({ account }, (tx) => wholeTemplate(tx, templateNamed(kind, locale))),
    ({ own, subject, body, placeholders }: WholeTemplate) =>
      [
        own ? 'Changed by the account.' : 'Built in.',
        `Placeholders: ${placeholders.join(', ')}`,
        '',
        subject,
        '',
        body,
      ].join('\n'),
  )
  objectCommand(
    ofTemplate('set', 'change a template of an account')
      .requiredOption('--subject <text>', 'subject of the message')
      .option('--body <text>', 'body of the message, with an empty line between paragraphs')
      .option('--body-file <file>', 'file with the body, as UTF-8'),
    async ({ account, kind, locale, subject, ...body }: Given) => {
      const template = { subject, body: await bodyOf(body) }
      return atAccount({ account }, async (tx) => {
        await saveTemplate(tx, templateNamed(kind, locale), template)
        return { kind, locale }
      })
    },
    ({ kind, locale }: { kind: string; locale: string }) => `Updated ${kind} in ${locale}.`,
  )
  objectCommand(
    ofTemplate('reset', 'restore the built-in template'),
    ({ account, kind, locale }: OfTemplate) =>
      atAccount({ account }, async (tx) => ({
        kind,
        locale,
        changed: await resetTemplate(tx, templateNamed(kind, locale)),
      })),
    ({ kind, locale, changed }: { kind: string; locale: string; changed: boolean }) =>
      `${kind} in ${locale} ${changed ? 'was restored to' : 'already is'} the built-in template.`,
  )
}

async function bodyOf({ body, bodyFile }: Pick<Given, 'body' | 'bodyFile'>): Promise<string> {
  if ((body === undefined) === (bodyFile === undefined))
    throw new UserError('invalid_value', 'Use either --body or --body-file.')
  return body ?? (await readFile(bodyFile as string, 'utf8'))
}
