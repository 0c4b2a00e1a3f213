import type { Command } from 'commander'
import { type Demo, makeDemo } from '../demo/make-demo.ts'
import { answering } from './command.ts'
import { withCell } from './with-cell.ts'

export function registerDemo(program: Command): void {
  answering(
    program.command('demo').description('make a demo agency with real-looking data and keys to use'),
    () => withCell(async ({ deps }) => ({ ...(await makeDemo(deps)), url: deps.config.publicUrl })),
    (demo: Demo & { url: string }) => tellDemo(demo, demo.url),
  )
}

/** The demo agency, its keys, and the first call to try. */
export const tellDemo = (
  { account, name, keys, records, sharedTrip, survey, referral }: Demo,
  url: string,
): string => `Demo agency ${name}, account ${account.id}: ${Object.entries(records)
  .map(([entity, count]) => `${count} ${entity.replace('_', ' ')}`)
  .join(', ')}.
Its keys, shown this once:

  full           ${keys.full}
  import         ${keys.import}
  ticket_import  ${keys.ticket_import}

Try:

  curl -H "Authorization: Bearer ${keys.full}" ${url}/api/v1/me

A trip as its travellers see it: ${url}${sharedTrip}
A survey as a customer sees it: ${url}${survey}
What a referral code leads to: ${url}${referral}
`
