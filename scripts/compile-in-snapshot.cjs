// Given to a program that began with its snapshot (`src/make-snapshot.ts`): V8 takes compiled code only where it was compiled
// with the same memory to begin with. The words after it are those of `scripts/compile-program.js`. No module, since
// whoever began with a snapshot can only require.
module.exports = async (begun) => {
  const { compileProgram } = await import('./compile-program.js');
  await compileProgram(process.argv.slice(4), begun);
};
