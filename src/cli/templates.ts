import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { requireAccount } from '../features/accounts/reads/require-account.ts'
import { resetTemplate, saveTemplate, templateNamed } from '../features/communications/commands/save-template.ts'
import {
  type TemplateRow,
  templateRows,
  type WholeTemplate,
  wholeTemplate,
} from '../features/communications/reads/template-rows.ts'
import { ACCOUNT, answering, type OfAccount, operator, table } from './command.ts'
import { asOperator } from './with-cell.ts'

type OfTemplate = OfAccount & { readonly kind: string; readonly locale: string }
type Given = OfTemplate & { readonly subject: string; readonly body?: string; readonly bodyFile?: string }

export function registerTemplates(program: Command): void {
  const template = program.command('template').description('see and change the words of what is sent by itself')
  answering(
    template
      .command('list')
      .description('list the templates, and which of them are the account’s own')
      .requiredOption(...ACCOUNT),
    ({ account }: OfAccount) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return { templates: await templateRows(tx, account) }
      }),
    ({ templates }: { templates: TemplateRow[] }) => table(templates),
  )
  const ofTemplate = (name: string, about: string) =>
    template
      .command(name)
      .description(about)
      .requiredOption(...ACCOUNT)
      .requiredOption('--kind <kind>', 'what is said; see: npx backdesk template list')
      .requiredOption('--locale <language>', 'en or tr')
  answering(
    ofTemplate('show', 'show a template and its placeholders'),
    ({ account, kind, locale }: OfTemplate) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return wholeTemplate(tx, templateNamed(account, kind, locale))
      }),
    ({ own, subject, body, placeholders }: WholeTemplate) =>
      [
        own ? 'The account’s own.' : 'As Backdesk brings it.',
        `Placeholders: ${placeholders.join(', ')}`,
        '',
        subject,
        '',
        body,
      ].join('\n'),
  )
  answering(
    ofTemplate('set', 'give an account words of its own')
      .requiredOption('--subject <text>', 'the subject')
      .option('--body <text>', 'the body, with an empty line between paragraphs')
      .option('--body-file <file>', 'the file that has the body, as UTF-8'),
    async ({ account, kind, locale, subject, ...body }: Given) => {
      const template = { subject, body: await bodyOf(body) }
      return asOperator(async (tx) => {
        await requireAccount(tx, account)
        await saveTemplate(tx, templateNamed(account, kind, locale), template, operator())
        return { kind, locale }
      })
    },
    ({ kind, locale }: { kind: string; locale: string }) => `Changed ${kind} in ${locale}.`,
  )
  answering(
    ofTemplate('reset', 'take an account’s own words back'),
    ({ account, kind, locale }: OfTemplate) =>
      asOperator(async (tx) => {
        await requireAccount(tx, account)
        return { kind, locale, changed: await resetTemplate(tx, templateNamed(account, kind, locale), operator()) }
      }),
    ({ kind, locale, changed }: { kind: string; locale: string; changed: boolean }) =>
      `${kind} in ${locale} is ${changed ? 'again' : 'already'} as Backdesk brings it.`,
  )
}

async function bodyOf({ body, bodyFile }: Pick<Given, 'body' | 'bodyFile'>): Promise<string> {
  if ((body === undefined) === (bodyFile === undefined)) throw new Error('Give either --body or --body-file.')
  return body ?? (await readFile(bodyFile as string, 'utf8'))
}
