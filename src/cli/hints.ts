import type { UserErrorCode } from '../platform/user-error.ts'

/** Stands for the command that was run. */
export const THIS_COMMAND = 'npx backdesk THIS'
const HELP = `Run \`${THIS_COMMAND} --help\` for its arguments and options.`
const list = (command: string): string => `Run \`npx backdesk ${command} --account NUMBER\` to find it.`

/** What to run or to set next, for each mistake. */
export const HINTS: Readonly<Record<UserErrorCode, string>> = {
  invalid_value: HELP,
  invalid_file: 'Correct the file, or get it again, and repeat the command.',
  invalid_archive:
    'Use another copy of the file. A new one is written by `npx backdesk backup` or `npx backdesk account export`.',
  bsp_column_missing:
    'Name a column with `--map "COLUMN=FIELD"`; a currency that all documents share, with `--currency`.',
  file_too_large: 'Split the file, and repeat the command for each part.',
  invalid_path: HELP,
  invalid_configuration: 'Settings are environment variables; the README lists all of them.',
  wrong_secret: 'See docs/backup.md for the secret that a backup needs.',
  wrong_passphrase: 'Set EXPORT_PASSPHRASE to the passphrase that the export was made with.',
  wrong_cell: 'Choose another cell with DATABASE_URL or DATA_DIR.',
  wrong_version: 'Run `npx backdesk --version` to see the version of this program.',
  download_failed: 'Check the address and the network, and try again.',
  already_exists: HELP,
  not_allowed_now: HELP,
  account_busy: 'Run the command again, or cancel the move with `npx backdesk account reopen --account NUMBER`.',
  ambiguous_name: 'Run `npx backdesk invoice list --account NUMBER --json` to find its id.',
  rate_source_in_use: 'Give these rates a source of their own with `--source NAME`.',
  record_not_found: HELP,
}

/** What to run to find a record that does not exist, by its kind. */
export const FIND_RECORD: Readonly<Record<string, string>> = {
  account: 'Run `npx backdesk account list` to find it.',
  bsp_billing: list('bsp list'),
  branch: list('branch list'),
  capture: 'Ask `GET /api/v1/ticket_imports` for the ids of captured files.',
  company: list('company list'),
  invoice: list('invoice list'),
  key: list('key list'),
  message: list('message list'),
  record: 'Ask `GET /api/v1/imports/{entity}/records` for the ids of records.',
  referral_code: list('referral list'),
  role: 'Run `npx backdesk role list --account NUMBER` to see the roles, or make one with `npx backdesk role create`.',
  saved_report: list('report list'),
  seat: list('seat list'),
  survey: list('survey list'),
  template: list('template list'),
  trip: list('trip list'),
  trip_part: 'Run `npx backdesk trip show TRIP --account NUMBER` to see its days and segments.',
}
