import type { Command } from 'commander'
import { objectCommand, table } from '#client/command.ts'
import { type SurveyRow, surveyLink, surveyRows } from '../features/surveys/reads/survey-rows.ts'
import { ACCOUNT, limitUpTo, type OfAccount } from './command.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

const LISTED = 50
const MOST = 1_000

export function registerSurveys(program: Command): void {
  const survey = program.command('survey').description('list surveys, and show their addresses')
  objectCommand(
    survey
      .command('list')
      .description('list surveys, newest invitation first')
      .requiredOption(...ACCOUNT)
      .option('--limit <n>', `maximum number, up to ${MOST}`, limitUpTo(MOST), LISTED),
    (options: OfAccount & { limit: number }) =>
      atAccount(options, async (tx) => ({ surveys: await surveyRows(tx, options.limit) })),
    ({ surveys }: { surveys: SurveyRow[] }) => table(surveys),
  )
  objectCommand(
    survey
      .command('link')
      .description('show the address of a survey')
      .argument('<survey>', 'its id')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, id?: string) =>
      atAccount(options, async (tx, _, deps) => ({ address: await surveyLink(tx, deps, idOf('survey', id)) })),
    ({ address }: { address: string }) => address,
  )
}
