/** A JUnit file as Surefire writes it: suites of fifty cases, some failing with a stack trace and some skipped. */
export function junitFile(cases) {
  const suites = [];
  for (let first = 0; first < cases; first += 50) {
    const count = Math.min(50, cases - first);
    const body = Array.from({ length: count }, (_, index) => testCase(first + index));
    const failures = body.filter((one) => one.includes('<failure')).length;
    const skipped = body.filter((one) => one.includes('<skipped')).length;
    const name = `com.example.shop.Suite${first / 50}Test`;
    suites.push(
      `<testsuite name="${name}" tests="${count}" failures="${failures}" errors="0" skipped="${skipped}" time="1.25">`,
      ...body,
      '</testsuite>',
    );
  }
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCase(number) {
  const start = `<testcase classname="com.example.shop.Suite${Math.floor(number / 50)}Test" name="keeps order &#35;${number} &amp; its lines" time="0.01"`;
  if (number % 100 === 7)
    return `${start}><failure message="expected: &lt;1&gt; but was: &lt;2&gt;" type="AssertionError">${TRACE}</failure></testcase>`;
  if (number % 100 === 9) return `${start}><skipped message="not on this machine"/></testcase>`;
  return `${start}/>`;
}

const TRACE = Array.from(
  { length: 20 },
  (_, index) => `\n\tat com.example.shop.Order.line(Order.java:${index})`,
).join('');
