import type { Command } from 'commander'
import { objectCommand } from '#client/command.ts'
import { changeRecord, makeRecord } from '../imports/engine/one-record.ts'
import { entities } from '../registry.ts'
import { atDesk, bookings, entityOf, keysOf, recordId, recordText } from './at-desk.ts'
import { ACCOUNT, type OfAccount } from './command.ts'
import { fieldsOf, type GivenFields, takesFields } from './fields.ts'

type Options = OfAccount & GivenFields & { company?: string }
/** Records that are created only in the application. */
const ownEntities = entities.filter(({ entity }) => entity.readOnly)

export function registerRecords(program: Command): void {
  const record = program.command('record').description('create, update and cancel records that the API cannot write')
  const fields = (command: Command) =>
    takesFields(
      command
        .requiredOption(...ACCOUNT)
        .option('--company <id>', 'company of the record; the default company if omitted'),
    )
  objectCommand(
    fields(
      record
        .command('create')
        .description(`create a record: ${keysOf(ownEntities)}`)
        .argument('<entity>', 'its entity'),
    ),
    (options: Options, key: string) =>
      atDesk(options, entityOf(key, ownEntities), async (tx, entity, desk) =>
        makeRecord(tx, entity, await fieldsOf(options), desk),
      ),
    recordText,
  )
  objectCommand(
    fields(
      record
        .command('change')
        .description(`update a record: ${keysOf(ownEntities)}`)
        .argument('<entity>', 'its entity')
        .argument('<id>', 'its id'),
    ),
    (options: Options, key: string, id: string) =>
      atDesk(options, entityOf(key, ownEntities), async (tx, entity, desk) =>
        changeRecord(tx, entity, recordId(id), await fieldsOf(options), desk),
      ),
    recordText,
  )
  objectCommand(
    record
      .command('cancel')
      .description('cancel a booking: reverse its invoice, void its supplier bill and release its seats')
      .argument('<entity>', keysOf(bookings))
      .argument('<id>', 'its id')
      .requiredOption(...ACCOUNT),
    (options: Options, key: string, id: string) =>
      atDesk(options, entityOf(key, bookings), (tx, entity, desk) =>
        changeRecord(tx, entity, recordId(id), { status: 'cancelled' }, desk),
      ),
    recordText,
  )
}
