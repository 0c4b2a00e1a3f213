import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { type Demo, makeDemo } from '../../demo/make-demo.ts'
import { type KnownDemo, keepDemo } from './data-files.ts'
import { withCell } from './with-cell.ts'

export function registerDemo(program: Command): void {
  objectCommand(
    program.command('demo').description('create a demo agency with realistic data and API keys'),
    () =>
      withCell(async ({ deps }) => {
        const demo = await makeDemo(deps)
        if (deps.config.databaseUrl === null) keepDemo(deps.config.dataDir, demo)
        return { ...demo, url: deps.config.publicUrl }
      }),
    (demo: Demo & { url: string }) => demoText(demo, demo.url),
  )
}

/** The demo agency, its keys, and the first call to try. */
export const demoText = (
  demo: Demo,
  url: string,
): string => `Demo agency ${demo.name}, account ${demo.account.id}: ${Object.entries(demo.records)
  .map(([entity, count]) => `${count} ${entity.replace('_', ' ')}`)
  .join(', ')}.
Sign in to the console as its owner, once, within an hour:

  ${url}${demo.signIn}

Its keys, shown this once:

  full           ${demo.keys.full}
  import         ${demo.keys.import}
  ticket_import  ${demo.keys.ticket_import}

Try:

  curl -H "Authorization: Bearer ${demo.keys.full}" ${url}/api/v1/me

${demoPages(demo, url)}`

/** The pages of the demo agency that open without a key. */
export const demoPages = ({ sharedTrip, survey, referral }: KnownDemo, url: string): string =>
  `A trip as its travellers see it: ${url}${sharedTrip}
A survey as a customer sees it: ${url}${survey}
What a referral code leads to: ${url}${referral}
`
