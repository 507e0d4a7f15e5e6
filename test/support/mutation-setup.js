// @ts-check
import fc from 'fast-check';

// Every mutant gets the same cases. They are not shrunk, because one failure is enough to detect a
// mutant.
fc.configureGlobal({ seed: 1, endOnFailure: true });
