import { Command } from 'commander';
import { IntegrityService, type RuleResult } from '../integrity/integrity.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

const EXIT_PROBLEMS_FOUND = 1;

export function checkCommand(): Command {
  return new Command('check')
    .description('check the consistency of the stored data; changes nothing')
    .option('--json', 'print JSON')
    .action(check);
}

async function check({ json }: { json?: true }): Promise<void> {
  const results = await withServices((services) => services.get(IntegrityService).check());
  const found = results.reduce((sum, { problemCount }) => sum + problemCount, 0);
  if (json) printJson({ found, rules: results.map(toJson) });
  else printResults(results, found);
  if (found > 0) process.exitCode = EXIT_PROBLEMS_FOUND;
}

const toJson = ({ rule, description, problemCount, findings }: RuleResult): object => ({
  rule,
  description,
  found: problemCount,
  findings,
});

function printResults(results: readonly RuleResult[], found: number): void {
  printTable(
    results.map(({ rule, problemCount, description }) => ({
      Rule: rule,
      Problems: problemCount,
      Description: description,
    })),
    '',
  );
  for (const { rule, problemCount, findings } of results) {
    if (problemCount === 0) continue;
    console.log(`\n${rule}`);
    for (const { entity, id, problem } of findings) console.log(`  ${entity} ${id}: ${problem}`);
    const hidden = problemCount - findings.length;
    if (hidden > 0) console.log(`  and ${hidden} more`);
  }
  console.log(
    `\n${found === 0 ? 'No problems found.' : `Problems: ${found}. Nothing was changed.`}`,
  );
}
