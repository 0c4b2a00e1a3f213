import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { recordGesture } from '../features/surveys/commands/record-gesture.ts'
import { listGestures } from '../features/surveys/gestures.store.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { listOfAccount } from './list-of-account.ts'
import { atAccount, idOf } from './trips/on-trip.ts'

type Given = OfAccount & {
  readonly survey: string
  readonly description: string
  readonly amount?: string
  readonly currency?: string
}

export function registerGestures(program: Command): void {
  const gesture = program.command('gesture').description('record complimentary gestures after a trip')
  objectCommand(
    gesture
      .command('record')
      .description('record a gesture')
      .requiredOption(...ACCOUNT)
      .requiredOption('--survey <id>', 'id of the survey; see: npx backdesk survey list')
      .requiredOption('--description <text>', 'description of the gesture')
      .option('--amount <amount>', 'value of the gesture, e.g. 120.00')
      .option('--currency <code>', 'currency of the amount, e.g. EUR'),
    (options: Given) =>
      atAccount(options, async (tx, desk) => {
        const { survey, description, amount = null, currency = null } = options
        return { id: await recordGesture(tx, desk, idOf('survey', survey), { description, amount, currency }) }
      }),
    ({ id }: { id: string }) => `Recorded ${id}.`,
  )
  listOfAccount(gesture, 'gestures', listGestures)
}
