import { type DetectedVerify, detected } from './detected-verify.ts';
import type { ProjectView } from './project-view.ts';

export function detectMaven(view: ProjectView): DetectedVerify | undefined {
  const pom = view.text('pom.xml');
  if (pom === undefined) return undefined;
  const maven = view.has('mvnw') ? './mvnw' : 'mvn';
  const folder = 'target/surefire-reports';
  const report = /<module>/.test(pom) ? `**/${folder}` : folder;
  return detected(
    'maven',
    { tests: { command: `${maven} -B test`, report } },
    {
      notes: [
        'Coverage is not measured: GuardKit reads lcov and Cobertura reports, which Maven writes only with a plugin.',
      ],
    },
  );
}

export function detectGradle(view: ProjectView): DetectedVerify | undefined {
  const settings = view.text('settings.gradle') ?? view.text('settings.gradle.kts') ?? '';
  const hasProjects = /^[ \t]*include\b/m.test(settings);
  if (!hasProjects && !['build.gradle', 'build.gradle.kts'].some(view.has)) return undefined;
  const gradle = view.has('gradlew') ? './gradlew' : 'gradle';
  const folder = 'build/test-results/test';
  return detected(
    'gradle',
    {
      setup: `${gradle} --no-daemon testClasses`,
      tests: { command: `${gradle} --no-daemon test`, report: hasProjects ? `**/${folder}` : folder },
    },
    {
      notes: [
        'Coverage is not measured: GuardKit reads lcov and Cobertura reports, which Gradle writes only with a plugin.',
      ],
    },
  );
}
