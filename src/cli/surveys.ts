import type { Command } from 'commander'
import { type SurveyRow, surveyLink, surveyRows } from '../features/surveys/reads/survey-rows.ts'
import { ACCOUNT, answering, limitUpTo, type OfAccount, table } from './command.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

const LISTED = 50
const MOST = 1_000

export function registerSurveys(program: Command): void {
  const survey = program.command('survey').description('see what customers were asked after their trips')
  answering(
    survey
      .command('list')
      .description('list the surveys, the newest invitation first')
      .requiredOption(...ACCOUNT)
      .option('--limit <n>', `how many, up to ${MOST}`, limitUpTo(MOST), LISTED),
    (options: OfAccount & { limit: number }) =>
      atAccount(options, async (tx) => ({ surveys: await surveyRows(tx, options.limit) })),
    ({ surveys }: { surveys: SurveyRow[] }) => table(surveys),
  )
  answering(
    survey
      .command('link')
      .description('show the address at which a survey is answered')
      .argument('<survey>', 'its id')
      .requiredOption(...ACCOUNT),
    (options: OfAccount, id?: string) =>
      atAccount(options, async (tx, _, deps) => ({ address: await surveyLink(tx, deps, idOf('survey', id)) })),
    ({ address }: { address: string }) => address,
  )
}
